/** A token of the account that this page deleted. In memory only, so that a reload forgets it. */
let token: string | null = null;

export const lastDeletion = {
  set(deleted: string | null): void {
    token = deleted;
  },
  token: (): string | null => token,
};
