/** Makes the compiler check that a switch over a union handles every case. */
export function assertNever(value: never): never {
  throw new Error(`Unexpected value ${JSON.stringify(value)}`);
}
