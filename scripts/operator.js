// npm run operator -- …: the operator's command line
import { runProgram } from "./run-program.js";

await runProgram("server/src/cli/main.ts", process.argv.slice(2));
