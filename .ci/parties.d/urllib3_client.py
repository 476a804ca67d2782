import sys

import urllib3

with open(sys.argv[2], "wb") as file:
    file.write(urllib3.PoolManager().request("GET", sys.argv[1], timeout=60).data)
