/** Does the work of one conversation one piece after the other. */
export type InTurn = <T>(conversation: string, work: () => Promise<T>) => Promise<T>;

/**
 * Makes the turns of a process.
 *
 * The database orders the messages of a pair anyway; but those that wait here hold no connection, so that two members
 * who write very much cannot take them all.
 */
export function conversationQueue(): InTurn {
  const lasts = new Map<string, Promise<void>>();

  return async (conversation, work) => {
    const mine = (lasts.get(conversation) ?? Promise.resolve()).then(work);
    const settled = mine.then(
      () => undefined,
      () => undefined,
    );
    lasts.set(conversation, settled);
    try {
      return await mine;
    } finally {
      if (lasts.get(conversation) === settled) lasts.delete(conversation);
    }
  };
}
