export const find = (): string => 'found';
