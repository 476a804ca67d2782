import asyncio
import sys

import aiohttp


async def fetch():
    async with aiohttp.ClientSession() as session, session.get(sys.argv[1]) as response:
        with open(sys.argv[2], "wb") as file:
            file.write(await response.read())


asyncio.run(fetch())
