/// <reference types="vite/client" />

// Its own types cover the package's root only; results/root.ts says what we use.
declare module 'jsroot/core' {
  export const version: string;
}
declare module 'jsroot/draw' {
  export const version: string;
}
declare module 'jsroot/colors' {
  export const version: string;
}
