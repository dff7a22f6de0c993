FROM sandlot/base:test
ARG SANDLOT_NEWLINE
ENV SPACED='a  b ' \
    QUOTED='it'"'"'s "fine"' \
    DOLLAR='$HOME ${X:-y} $$' \
    BACK='C:\tools\' \
    MULTI='one'"${SANDLOT_NEWLINE}"'two' \
    EQ='k=v=w' \
    HASH='a #b' \
    EMPTY=''
USER 0
WORKDIR /workspace
ENTRYPOINT []
CMD ["/bin/bash"]
USER 1000
LABEL 'dev.sandlot.managed'='true'
# build arguments: {"SANDLOT_NEWLINE":"\n"}
