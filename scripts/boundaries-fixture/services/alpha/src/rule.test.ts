export const tested = true;
