// Loaded before the server: asks it to stop when the process that started it is gone, however that ended.
process.once("disconnect", () => process.kill(process.pid, "SIGTERM"));
process.channel?.unref(); // listening is no reason to stay
