// npm run soak [-- --sockets 1000 --minutes 10 --seed 7 --bus nats|postgres]: conversations while servers are killed
import { runProgram } from "./run-program.js";

await runProgram("bench/src/soak.ts", process.argv.slice(2));
