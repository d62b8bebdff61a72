/** A device with a mouse has arrow keys. */
export const hasKeys = (): boolean => matchMedia("(pointer: fine)").matches;
