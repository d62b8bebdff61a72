import { runCommand } from "./run-command.ts";

const { code, out, problems } = await runCommand(process.argv.slice(2), process.env);
process.stdout.write(out);
process.stderr.write(problems);
process.exitCode = code;
