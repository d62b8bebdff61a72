/** WebSocket close codes. `tooMany`: the member opened more than `SOCKETS_MAX`. */
export const closeCodes = { badToken: 4401, noMatch: 4403, tooMany: 4429, goingAway: 1001 } as const;
