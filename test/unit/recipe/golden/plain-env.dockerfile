FROM sandlot/base:test
ENV A='1' \
    PORT='8080'
USER 0
WORKDIR /workspace
ENTRYPOINT []
CMD ["/bin/bash"]
USER 1000
LABEL 'dev.sandlot.managed'='true'
# build arguments: {}
