import { createContext } from "react";

/** While true, open dialogs are hidden with their state, and no dialog opens. */
export const DialogsPaused = createContext(false);
