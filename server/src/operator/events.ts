export interface ConsoleJobs {
  sweep_console: Record<string, never>;
}
