// JSON Schemas of the OpenAPI document as TypedDicts.
import { docstring, GENERATED, isName, pascalCase, quote, wrap } from './python-text.mjs';

const SCALARS = { string: 'str', integer: 'int', number: 'float', boolean: 'bool', null: 'None' };

/** Grows a module of types: components by their names, what stands inside of others by theirs and the member's. */
export class Models {
  #components;
  /** Text of each type by its name, in the order in which they can be defined. */
  #types = new Map();

  constructor(components) {
    this.#components = components;
  }

  /** The Python type of a schema. @param name - what it is called if it needs one */
  typeOf(schema, name) {
    if (schema === undefined || schema === true) return 'Any';
    const { $ref, enum: values, const: only, oneOf, anyOf = oneOf, type } = schema;
    if ($ref !== undefined) return this.#component($ref.split('/').at(-1));
    if (only !== undefined) return `Literal[${quote(only)}]`;
    if (values !== undefined) return `Literal[${values.map(quote).join(', ')}]`;
    if (anyOf !== undefined && schema.properties === undefined) return this.#union(anyOf, name);
    if (Array.isArray(type))
      return this.#union(
        type.map((one) => ({ ...schema, type: one })),
        name,
      );
    if (type === 'array') return `list[${this.typeOf(schema.items, `${name}Item`)}]`;
    if (type === 'object') return this.#object(schema, name);
    return SCALARS[type] ?? 'Any';
  }

  /** Name of a type for a whole body, which always has one. */
  nameOf(schema, name) {
    const type = this.typeOf(schema, name);
    if (type !== name && isName(type)) return type;
    if (!this.#types.has(name)) this.#types.set(name, `${name} = ${type}`);
    return name;
  }

  text() {
    return `${GENERATED('the OpenAPI document')}"""Bodies of requests and answers. Members without NotRequired are always there."""

from typing import Any, Literal, Union

from typing_extensions import NotRequired, TypedDict

${[...this.#types.values()].join('\n\n\n')}
`;
  }

  #component(name) {
    if (!this.#types.has(name)) {
      const schema = this.#components[name];
      const type = this.typeOf(schema, name);
      if (type !== name) {
        const about = schema.description === undefined ? [] : wrap(schema.description, '# ');
        this.#types.set(name, [...about, `${name} = ${type}`].join('\n'));
      }
    }
    return name;
  }

  #union(schemas, name) {
    const types = schemas.map((schema, i) => this.typeOf(schema, `${name}${i + 1}`));
    const different = [...new Set(types)];
    return different.length === 1 ? different[0] : `Union[${different.join(', ')}]`;
  }

  #object(schema, name) {
    const { properties, additionalProperties, required = [] } = schema;
    if (properties === undefined) return `dict[str, ${this.typeOf(additionalProperties, `${name}Value`)}]`;
    const members = Object.entries(properties).map(([key, member]) => {
      const type = this.typeOf(member, name + pascalCase(key));
      return { key, about: member.description, type: required.includes(key) ? type : `NotRequired[${type}]` };
    });
    if (this.#types.has(name)) throw new Error(`two types are called ${name}`);
    this.#types.set(
      name,
      members.every(({ key }) => isName(key)) ? asClass(schema, name, members) : asCall(name, members),
    );
    return name;
  }
}

function asClass({ description }, name, members) {
  return [
    `class ${name}(TypedDict):`,
    ...(description === undefined ? [] : [...docstring(description, '    '), '']),
    ...members.flatMap(({ key, about, type }) => [
      ...(about === undefined ? [] : wrap(about, '    # ')),
      `    ${key}: ${type}`,
    ]),
  ].join('\n');
}

/** For members that are no names in Python, such as `with`. */
function asCall(name, members) {
  const lines = members.flatMap(({ key, about, type }) => [
    ...(about === undefined ? [] : wrap(about, '        # ')),
    `        ${quote(key)}: ${type},`,
  ]);
  return [`${name} = TypedDict(`, `    "${name}",`, '    {', ...lines, '    },', ')'].join('\n');
}
