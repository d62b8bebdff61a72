/** How often a test plays a race: a quarter of the rounds in `npm test`, all in `npm run test:long`. */
export const rounds = (all: number): number => (process.env["ALL_ROUNDS"] ? all : Math.ceil(all / 4));
