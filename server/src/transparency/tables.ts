/** Sums of a month, which outlive the cases. No row is about a person. */
interface TransparencyFiguresTable {
  /** `YYYY-MM`. */
  month: string;
  figure: string;
  count: number;
}

export interface TransparencyTables {
  transparency_figures: TransparencyFiguresTable;
}
