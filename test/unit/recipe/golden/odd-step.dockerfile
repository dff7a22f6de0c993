FROM sandlot/base:test
USER 0
RUN ["/bin/bash","-eo","pipefail","-c","cat \u003c\u003c'EOF' > /x\n\tit's \"q\" $HOME `id` \\\nEOF\n# last \\\n","step-1"]
WORKDIR /workspace
ENTRYPOINT []
CMD ["/bin/bash"]
USER 1000
LABEL 'dev.sandlot.managed'='true'
# build arguments: {}
