const MINUTE = 60;
const HOUR = 3_600;
const DAY = 86_400;

/** Seconds in words: `3 min 20 s`. */
export function duration(seconds: number): string {
  if (seconds < 1) return `${Math.max(0, Math.round(seconds * 1000))} ms`;
  if (seconds < MINUTE) return `${Math.round(seconds)} s`;
  if (seconds < HOUR) return `${Math.floor(seconds / MINUTE)} min ${Math.round(seconds % MINUTE)} s`;
  if (seconds < DAY) return `${Math.floor(seconds / HOUR)} h ${Math.floor((seconds % HOUR) / MINUTE)} min`;
  return `${Math.floor(seconds / DAY)} d ${Math.floor((seconds % DAY) / HOUR)} h`;
}

/** Seconds between two instants. */
export const secondsBetween = (from: string, to: string | number): number =>
  (new Date(to).getTime() - new Date(from).getTime()) / 1000;

/** An instant as people say it: today's by the hour, others by the day. */
export function instant(text: string): string {
  const at = new Date(text);
  const isToday = at.toDateString() === new Date().toDateString();
  const time = at.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
  return isToday ? time : `${at.toLocaleDateString([], { day: 'numeric', month: 'short', year: 'numeric' })}, ${time}`;
}

/** A number with the digits that a reader needs. */
export function figure(value: number, digits = 4): string {
  if (value === 0) return '0';
  const size = Math.abs(value);
  return size >= 1e5 || size < 1e-3 ? value.toExponential(digits - 1) : String(Number(value.toPrecision(digits)));
}

/** An instant to the second, with its date and the zone of the clock. */
export const wholeInstant = (text: string): string =>
  new Date(text).toLocaleString([], { dateStyle: 'full', timeStyle: 'long' });

/** A user as people are called: by the name of the realm, else by the user name. */
export const personName = (person: { readonly display_name: string; readonly username: string }): string =>
  person.display_name || person.username;
