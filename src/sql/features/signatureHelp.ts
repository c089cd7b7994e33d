import { createCaretPosition, getCaretPosition, isInComment } from '../completion/caretPosition.ts';
import type { ExpressionContext } from '../context.ts';
import { findFunction } from '../functions/functionCatalog.ts';
import { getCaretHints, lexInContext } from '../parsing.ts';

/** The function call around the caret, and the argument that contains the caret. */
export interface SignatureHelp {
  readonly label: string;
  readonly parameters: readonly string[];
  readonly activeParameter: number;
  readonly meaning: string;
  readonly unverified: boolean;
}

/** Returns signature help for the innermost call around the offset, if its function is known. */
export function signatureHelpAt(
  text: string,
  offset: number,
  context: ExpressionContext,
): SignatureHelp | undefined {
  const lexed = lexInContext(text, context);
  if (isInComment(lexed, offset)) {
    return undefined;
  }
  // `getCaretPosition` returns nothing inside a string or number, which may still be an argument of a call.
  const position = getCaretPosition(lexed, offset) ?? createCaretPosition(lexed, offset);
  const { call } = getCaretHints(position, context);
  const info = call === undefined ? undefined : findFunction(call.name.text);
  if (call === undefined || info === undefined) {
    return undefined;
  }
  const { parameters, meaning, verified } = info;
  const lastIndex = Math.max(0, parameters.length - 1);
  return {
    label: info.signature,
    parameters,
    activeParameter: parameters.some((name) => name.startsWith('…'))
      ? Math.min(call.argumentIndex, lastIndex)
      : call.argumentIndex,
    meaning,
    unverified: !verified,
  };
}
