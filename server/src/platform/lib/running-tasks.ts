import { setImmediate } from "node:timers/promises";

/** Tasks that may outlive their caller, such as a request whose client has left. */
export class RunningTasks {
  readonly #running = new Set<Promise<unknown>>();

  add<T>(task: Promise<T>): Promise<T> {
    this.#running.add(task);
    const remove = () => this.#running.delete(task);
    task.then(remove, remove);
    return task;
  }

  /** Waits until no task runs. A task that ends may begin the next one in a later microtask. */
  async end(): Promise<void> {
    do {
      await Promise.allSettled(this.#running);
      await setImmediate();
    } while (this.#running.size > 0);
  }
}
