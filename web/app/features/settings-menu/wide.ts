/** Whether menu and setting stand side by side, as the style sheets have it. */
export const isWide = (): boolean => matchMedia("(min-width: 60rem)").matches;
