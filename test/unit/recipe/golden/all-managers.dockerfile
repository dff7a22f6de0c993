FROM sandlot/base:test
USER 0
RUN ["/bin/bash","-eo","pipefail","-c","export DEBIAN_FRONTEND=noninteractive\napt-get update\napt-get install -y --no-install-recommends -- 'jq'\napt-get clean\nrm -rf /var/lib/apt/lists/*","apt"]
RUN ["/bin/bash","-eo","pipefail","-c","if ! command -v cargo >/dev/null 2>&1; then\nexport DEBIAN_FRONTEND=noninteractive\napt-get update\napt-get install -y --no-install-recommends -- cargo rustc libc6-dev pkg-config\napt-get clean\nrm -rf /var/lib/apt/lists/*\nfi\ncargo install --root /usr/local -- 'ripgrep@14.1.0'\nrm -rf \"${CARGO_HOME:-$HOME/.cargo}/registry\" /usr/local/.crates.toml /usr/local/.crates2.json","cargo"]
RUN ["/bin/bash","-eo","pipefail","-c","if ! command -v gem >/dev/null 2>&1; then\nexport DEBIAN_FRONTEND=noninteractive\napt-get update\napt-get install -y --no-install-recommends -- ruby ruby-dev build-essential\napt-get clean\nrm -rf /var/lib/apt/lists/*\nfi\ngem install --no-document 'rake:13.2.1'","gem"]
RUN ["/bin/bash","-eo","pipefail","-c","if ! command -v go >/dev/null 2>&1; then\nexport DEBIAN_FRONTEND=noninteractive\napt-get update\napt-get install -y --no-install-recommends -- golang-go git\napt-get clean\nrm -rf /var/lib/apt/lists/*\nfi\nexport GOBIN=/usr/local/bin GOPATH=/tmp/sandlot-go GOCACHE=/tmp/sandlot-go-cache GOFLAGS=-modcacherw\ngo install 'golang.org/x/tools/cmd/goimports@latest'\nrm -rf /tmp/sandlot-go /tmp/sandlot-go-cache","go"]
RUN ["/bin/bash","-eo","pipefail","-c","if ! command -v npm >/dev/null 2>&1; then\nexport DEBIAN_FRONTEND=noninteractive\napt-get update\napt-get install -y --no-install-recommends -- nodejs npm\napt-get clean\nrm -rf /var/lib/apt/lists/*\nfi\nnpm install --global --no-fund --no-audit -- '@scope/a@1'\nnpm cache clean --force >/dev/null 2>&1 || true","npm"]
RUN ["/bin/bash","-eo","pipefail","-c","export PIP_BREAK_SYSTEM_PACKAGES=1 PIP_ROOT_USER_ACTION=ignore PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1\nif ! python3 -m pip --version >/dev/null 2>&1 && command -v uv >/dev/null 2>&1; then\nuv pip install --system --break-system-packages --no-cache -- 'uvicorn[standard]>=0.3'\nelse\nif ! python3 -m pip --version >/dev/null 2>&1; then\nexport DEBIAN_FRONTEND=noninteractive\napt-get update\napt-get install -y --no-install-recommends -- python3 python3-pip\napt-get clean\nrm -rf /var/lib/apt/lists/*\nfi\npython3 -m pip install -- 'uvicorn[standard]>=0.3'\nfi","pip"]
WORKDIR /workspace
ENTRYPOINT []
CMD ["/bin/bash"]
USER 1000
LABEL 'dev.sandlot.managed'='true'
# build arguments: {}
