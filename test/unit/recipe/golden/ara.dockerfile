FROM sandlot/base:test
ENV PYTHONUNBUFFERED='1'
USER 0
RUN ["/bin/bash","-eo","pipefail","-c","uv pip install --system ruff mypy","step-1"]
WORKDIR /workspace
ENTRYPOINT []
CMD ["/bin/bash"]
USER 1000
LABEL 'dev.sandlot.managed'='true'
# build arguments: {}
