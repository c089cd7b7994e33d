/**
 * The steps of the instrumented built-in functions, which the coverage data of the JavaScript engine does not include.
 */
let steps = 0;

export const getBuiltInSteps = (): number => steps;

type Method = (this: unknown, ...args: unknown[]) => unknown;
/** An estimate of the number of elements that a call visited or copied. */
type Cost = (self: unknown, args: readonly unknown[], result: unknown) => number;

const getLength = (value: unknown): number =>
  typeof value === 'string' || Array.isArray(value) ? value.length : 1;
const countAll: Cost = (self) => getLength(self);
const countResult: Cost = (_self, _args, result) => getLength(result);

/** Counts the elements that a search from the front visits: up to the match, or up to the end if there is none. */
const countSearched: Cost = (self, [, from], found) => {
  const start = typeof from === 'number' ? from : 0;
  return (typeof found === 'number' && found >= 0 ? found : getLength(self)) - start;
};

const costs: readonly (readonly [object, Readonly<Record<string, Cost>>])[] = [
  [
    Array.prototype,
    {
      includes: countAll,
      indexOf: countSearched,
      lastIndexOf: countAll,
      join: countAll,
      slice: countResult,
      concat: countResult,
      splice: countAll,
      shift: countAll,
      unshift: countAll,
      reverse: countAll,
      toReversed: countAll,
      flat: countResult,
      fill: countAll,
      with: countAll,
      toSpliced: countAll,
    },
  ],
  [
    String.prototype,
    {
      includes: countAll,
      indexOf: countSearched,
      lastIndexOf: (self, _args, found) => getLength(self) - Math.max(0, Number(found)),
      split: countAll,
      trim: countAll,
      toLowerCase: countAll,
      toUpperCase: countAll,
      normalize: countAll,
      replaceAll: countAll,
      repeat: countResult,
    },
  ],
  [
    RegExp.prototype,
    {
      // A search without a match has scanned all of the text; with the flag `y`, only one position.
      exec: (self, [text], found) => {
        const { sticky, lastIndex } = self as RegExp;
        const match = found as RegExpExecArray | null;
        return match === null
          ? sticky
            ? 1
            : getLength(text)
          : match[0].length + (sticky || lastIndex > 0 ? 1 : match.index);
      },
    },
  ],
];

/** Replaces the built-in functions of this thread by ones that count their steps. */
export function instrumentBuiltIns(): void {
  for (const [prototype, methods] of costs) {
    for (const [name, cost] of Object.entries(methods)) {
      const original = Reflect.get(prototype, name) as Method;
      const countingMethod: Method = function (...args) {
        const result = original.apply(this, args);
        steps += Math.max(1, cost(this, args, result));
        return result;
      };
      Object.defineProperty(prototype, name, { value: countingMethod, configurable: true, writable: true });
    }
  }
  // Spreading, destructuring and `new Set(list)` use the iterator.
  const arrayPrototype: object = Array.prototype;
  const iterate = Array.prototype[Symbol.iterator];
  Object.defineProperty(arrayPrototype, Symbol.iterator, {
    value: function* (this: readonly unknown[]) {
      const items = iterate.call(this);
      for (let next = items.next(); next.done !== true; next = items.next()) {
        steps += 1;
        yield next.value;
      }
    },
    configurable: true,
    writable: true,
  });
}
