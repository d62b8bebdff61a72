import { cardsOf, chanceOfLike, type Resident } from "./city.ts";

/**
 * Estimates the largest share of each sex with a match, in percent. A like takes `1 / chance` cards of the other sex, and
 * likeable members come first. Real orders stay below: not each card meets a member who likes back.
 */
export function frontierOf(residents: readonly Resident[], days: number): { women: number; men: number } {
  const honest = residents.filter(({ robot }) => robot === null);
  const of = (sex: Resident["sex"]) => {
    const [seen, viewers] = [
      honest.filter((one) => one.sex === sex),
      honest.filter((one) => one.sex !== sex),
    ];
    let cards = 0;
    for (const viewer of viewers)
      cards += cardsOf(viewer) * viewer.presence * (days - Math.max(0, viewer.joined));
    const needed = seen.map((one) => {
      const chances = viewers.map((viewer) => chanceOfLike(viewer, one));
      return viewers.length / chances.reduce((sum, chance) => sum + chance, 0);
    });
    let matched = 0;
    for (const need of needed.toSorted((a, b) => a - b)) {
      cards -= need;
      if (cards < 0) break;
      matched++;
    }
    return (100 * matched) / seen.length;
  };
  return { women: of("female"), men: of("male") };
}
