import type { paths } from './gen/http.js';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Paths of the document that take a method. */
export type PathOf<M extends Method> = {
  [P in keyof paths]: paths[P][Lowercase<M>] extends { responses: object } ? P : never;
}[keyof paths];

/** One operation of the document. */
export type Operation<M extends Method, P extends PathOf<M>> = paths[P][Lowercase<M>];

type QueryOf<O> = O extends { parameters: { query: infer Q } }
  ? { readonly query: Q }
  : O extends { parameters: { query?: infer Q } }
    ? { readonly query?: Q }
    : unknown;

type HeadersOf<O> = O extends { parameters: { header?: infer H } } ? { readonly headers?: H } : unknown;

type BodyOf<O> = O extends { requestBody: { content: { 'application/json': infer B } } }
  ? { readonly body: B }
  : unknown;

/** What an operation takes. */
export type Input<M extends Method, P extends PathOf<M>> = QueryOf<Operation<M, P>> &
  HeadersOf<Operation<M, P>> &
  BodyOf<Operation<M, P>>;

type SuccessStatus = 200 | 201 | 202;

/** Body of an operation's success. */
export type Output<M extends Method, P extends PathOf<M>> =
  Operation<M, P> extends { responses: infer R }
    ? {
        [S in keyof R & SuccessStatus]: R[S] extends { content: { 'application/json': infer B } } ? B : never;
      }[keyof R & SuccessStatus]
    : never;

/** The input may be left out when nothing in it is required. */
export type InputArguments<M extends Method, P extends PathOf<M>> =
  object extends Input<M, P> ? [input?: Input<M, P>] : [input: Input<M, P>];
