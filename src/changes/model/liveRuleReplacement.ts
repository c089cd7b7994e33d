import type { Write } from './operation.ts';

/**
 * Returns whether a write is part of the replacement of one live rule: it creates the new rule or deletes the old one.
 */
export const isPartOfReplacement = ({ step }: Write): boolean => step === 'replaced';
