/// <reference types="vite/client" />

// Its own types cover the package's root only; a test reads by it what is saved for ROOT.
declare module 'jsroot/core' {
  interface RootObject {
    readonly _typename: string;
    readonly fX: readonly number[];
    readonly fY: readonly number[];
    readonly fEY: readonly number[];
    readonly fNpoints: number;
    readonly fArray: readonly number[];
    readonly fSumw2: readonly number[];
    readonly fGraphs: { readonly arr: readonly [RootObject, RootObject] };
    readonly fHistogram: RootObject;
    readonly fXaxis: { readonly fXmin: number; readonly fXmax: number; readonly fTitle: string };
  }
  export function parse(json: string): RootObject;
  export function createTGraph(count: number, x: readonly number[], y: readonly number[]): RootObject;
  export function createTMultiGraph(...graphs: readonly RootObject[]): RootObject;
  export function createHistogram(type: string, ...bins: readonly number[]): RootObject;
}
