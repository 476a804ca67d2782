import sys

import grpc

with grpc.secure_channel(sys.argv[1], grpc.ssl_channel_credentials()) as channel:
    content = channel.unary_unary("/files/Object")(b"", timeout=60)
with open(sys.argv[2], "wb") as file:
    file.write(content)
