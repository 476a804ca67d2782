import concurrent.futures
import pathlib
import sys

import grpc

content = pathlib.Path("served/object").read_bytes()


class Files(grpc.GenericRpcHandler):
    def service(self, details):
        return grpc.unary_unary_rpc_method_handler(lambda request, context: content)


pair = (pathlib.Path("key").read_bytes(), pathlib.Path("cert").read_bytes())
server = grpc.server(concurrent.futures.ThreadPoolExecutor())
server.add_generic_rpc_handlers((Files(),))
server.add_secure_port(f"127.0.0.1:{sys.argv[1]}", grpc.ssl_server_credentials([pair]))
server.start()
server.wait_for_termination()
