FROM sandlot/base:test
USER 0
RUN ["/bin/bash","-eo","pipefail","-c","export DEBIAN_FRONTEND=noninteractive\napt-get update\napt-get install -y --no-install-recommends -- 'jq' 'git=1:2.39-1'\napt-get clean\nrm -rf /var/lib/apt/lists/*","apt"]
WORKDIR /workspace
ENTRYPOINT []
CMD ["/bin/bash"]
USER 1000
LABEL 'dev.sandlot.managed'='true'
# build arguments: {}
