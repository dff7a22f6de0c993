FROM sandlot/base:test
USER 0
RUN ["/bin/bash","-eo","pipefail","-c","echo one","step-1"]
RUN ["/bin/bash","-eo","pipefail","-c","echo two\necho three\n","step-2"]
WORKDIR /workspace
ENTRYPOINT []
CMD ["/bin/bash"]
USER 1000
LABEL 'dev.sandlot.managed'='true'
# build arguments: {}
