import { BoundedCache } from "./bounded-cache.ts";

export interface Turn {
  /** Groups share the permits equally, such as a network and an account. */
  readonly groups: readonly string[];
  readonly isFirst: boolean;
}

interface Waiting {
  readonly lane: Lane;
  readonly groups: readonly string[];
  readonly start: number;
  admit(): void;
  reject(error: Error): void;
}

/**
 * Start-time fair queuing: each task of a group starts one unit after the group's previous one, and a new group starts
 * now.
 *
 * A full queue rejects the task with the latest start, so that a group's burst displaces no other group.
 */
export class FairQueue {
  readonly #permits: number;
  readonly #maxWaiting: number;
  readonly #whenFull: () => Error;
  readonly #first = new Lane();
  readonly #others = new Lane();
  #running = 0;

  constructor(parts: { permits: number; maxWaiting: number; whenFull: () => Error }) {
    this.#permits = parts.permits;
    this.#maxWaiting = parts.maxWaiting;
    this.#whenFull = parts.whenFull;
  }

  async run<T>({ groups, isFirst }: Turn, task: () => Promise<T>): Promise<T> {
    const lane = isFirst ? this.#first : this.#others;
    if (this.#running < this.#permits) {
      this.#running++;
      lane.begin(lane.join(groups));
    } else await this.#wait(lane, groups);
    try {
      return await task();
    } finally {
      // The permit passes to the next task directly, so that no other one can take it.
      const next = this.#first.takeEarliest() ?? this.#others.takeEarliest();
      if (next) next.admit();
      else this.#running--;
    }
  }

  get waitingCount(): number {
    return this.#first.waiting.length + this.#others.waiting.length;
  }

  async #wait(lane: Lane, groups: readonly string[]): Promise<void> {
    await new Promise<void>((admit, reject) => {
      lane.waiting.push({ lane, groups, start: lane.join(groups), admit, reject });
      if (this.waitingCount <= this.#maxWaiting) return;
      const latest = this.#others.takeLatest() ?? this.#first.takeLatest();
      latest?.reject(this.#whenFull());
    });
  }
}

class Lane {
  readonly waiting: Waiting[] = [];
  /** A group that is missing, or whose start has passed, starts now. */
  readonly #nextStarts = new BoundedCache<string, number>();
  #now = 0;

  join(groups: readonly string[]): number {
    const start = Math.max(this.#now, ...groups.map((group) => this.#nextStarts.get(group) ?? 0));
    for (const group of groups) this.#nextStarts.set(group, start + 1);
    return start;
  }

  begin(start: number): void {
    this.#now = Math.max(this.#now, start);
  }

  takeEarliest(): Waiting | undefined {
    const earliest = this.waiting.reduce<Waiting | undefined>(
      (found, task) => (found && found.start <= task.start ? found : task),
      undefined,
    );
    if (!earliest) return undefined;
    this.waiting.splice(this.waiting.indexOf(earliest), 1);
    this.begin(earliest.start);
    return earliest;
  }

  takeLatest(): Waiting | undefined {
    const latest = this.waiting.reduce<Waiting | undefined>(
      (found, task) => (found && found.start > task.start ? found : task),
      undefined,
    );
    if (!latest) return undefined;
    this.waiting.splice(this.waiting.indexOf(latest), 1);
    // A rejected task does not delay the next ones of its groups.
    for (const group of latest.groups)
      if (this.#nextStarts.get(group) === latest.start + 1) this.#nextStarts.set(group, latest.start);
    return latest;
  }
}
