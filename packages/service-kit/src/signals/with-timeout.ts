/**
 * The answer of `work`.
 * @param onTimeout - is called when it takes longer than `ms`; the work itself goes on
 * @throws Error with this message when it takes longer than `ms`
 */
export async function withTimeout<T>(
  work: Promise<T>,
  ms: number,
  message: string,
  onTimeout: () => void = () => {},
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      onTimeout();
      reject(new Error(message));
    }, ms);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}
