import { isLoopback } from "../config-reader.ts";

interface ConsoleSettings {
  readonly port: number;
  readonly consolePort: number | null;
  readonly consoleHost: string;
  readonly consoleUrl: string | null;
  readonly publicUrl: string | null;
}

/** Returns a sentence for each setting that makes the console unsafe or unusable. */
export function findConsoleProblems(config: ConsoleSettings): string[] {
  const { port, consolePort, consoleHost, consoleUrl, publicUrl } = config;
  if (consolePort === null) return [];
  const problems: string[] = [];
  if (consolePort !== 0 && consolePort === port)
    problems.push("CONSOLE_PORT must be another port than PORT.");
  if (consoleUrl === null) {
    if (!isLoopback(consoleHost))
      problems.push(
        `CONSOLE_URL is needed with CONSOLE_HOST=${consoleHost}: set it to the address that operators open, such as https://console.example.`,
      );
    return problems;
  }
  const { protocol, hostname } = new URL(consoleUrl);
  if (protocol !== "https:" && hostname !== "localhost")
    problems.push("CONSOLE_URL must begin with https://, or with http://localhost: passkeys need it.");
  if (publicUrl !== null && hostname === new URL(publicUrl).hostname && hostname !== "localhost")
    problems.push("CONSOLE_URL must have another host than PUBLIC_URL.");
  return problems;
}
