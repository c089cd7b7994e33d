import { MATH_AND_RANK_FUNCTIONS } from './mathAndRankFunctions.ts';
import { DOCUMENTED_FUNCTIONS } from './documentedFunctions.ts';
import { TEXT_AND_LOGIC_FUNCTIONS } from './textAndLogicFunctions.ts';
import type { FunctionInfo } from './functionInfo.ts';

/** All known functions by upper-case name. There may be others, so an unknown function is never reported. */
export const FUNCTIONS: ReadonlyMap<string, FunctionInfo> = new Map(
  [...DOCUMENTED_FUNCTIONS, ...TEXT_AND_LOGIC_FUNCTIONS, ...MATH_AND_RANK_FUNCTIONS].map((info) => [
    info.name,
    info,
  ]),
);

export function findFunction(name: string): FunctionInfo | undefined {
  return FUNCTIONS.get(name.toUpperCase());
}
