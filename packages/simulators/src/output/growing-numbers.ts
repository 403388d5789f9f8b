const FIRST_LENGTH = 1024;

/** An array of numbers that grows as rows are read: memory follows what a file holds, never what it says of itself. */
export class GrowingNumbers {
  private numbers = new Float64Array(FIRST_LENGTH);
  length = 0;

  push(value: number): void {
    if (this.length === this.numbers.length) {
      const larger = new Float64Array(2 * this.length);
      larger.set(this.numbers);
      this.numbers = larger;
    }
    this.numbers[this.length] = value;
    this.length += 1;
  }

  toArray(): Float64Array {
    return this.numbers.slice(0, this.length);
  }
}
