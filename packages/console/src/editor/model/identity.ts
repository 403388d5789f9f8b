const numbers = new WeakMap<object, number>();
let next = 0;

/** A number that stands for an object as it is: projects are never changed in place. */
export function identityOf(value: object): number {
  const known = numbers.get(value);
  if (known !== undefined) return known;
  next += 1;
  numbers.set(value, next);
  return next;
}
