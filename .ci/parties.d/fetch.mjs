import { writeFileSync } from "node:fs";

const response = await fetch(process.argv[2]);
writeFileSync(process.argv[3], Buffer.from(await response.arrayBuffer()));
