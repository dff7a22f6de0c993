FROM sandlot/base:test
USER 0
WORKDIR /workspace
ENTRYPOINT []
CMD ["/bin/bash"]
USER 1000
LABEL 'dev.sandlot.managed'='true'
# build arguments: {}
