/** Each event adds a row with a random part, so that none waits for another. A job adds them up in the part of zeros. */
interface DailyFiguresTable {
  /** In UTC. */
  day: string;
  figure: string;
  part: string;
  value: number;
}

export interface StatisticsTables {
  daily_figures: DailyFiguresTable;
}
