const value = { type: "string", required: true } as const;
const number = { type: "number", required: true } as const;
const limits = {
  min: { type: "number", bindable: false },
  max: { type: "number", bindable: false },
} as const;
const values = {
  type: "array",
  items: "boolean",
  minItems: 2,
  bindable: false,
  required: true,
} as const;
const digits = { decimals: "number", grouping: "boolean" } as const;

/** Argument and return types of the functions of the A2UI basic catalog. */
export const functions = {
  required: { args: { value: { type: "any", required: true } }, returns: "boolean" },
  regex: { args: { value, pattern: { ...value, bindable: false } }, returns: "boolean" },
  length: { args: { value, ...limits }, returns: "boolean" },
  numeric: { args: { value: number, ...limits }, returns: "boolean" },
  email: { args: { value }, returns: "boolean" },
  and: { args: { values }, returns: "boolean" },
  or: { args: { values }, returns: "boolean" },
  not: { args: { value: { type: "boolean", required: true } }, returns: "boolean" },
  formatString: {
    description: "${name} in the value is values.name",
    args: { value, values: { type: "object", bindable: false } },
    returns: "string",
  },
  formatNumber: { args: { value: number, ...digits }, returns: "string" },
  formatCurrency: { args: { value: number, currency: value, ...digits }, returns: "string" },
  formatDate: {
    description: "the format is of Unicode: EEEE, MMM d, yyyy h:mm a",
    args: { value: { type: "any", required: true }, format: value },
    returns: "string",
  },
  pluralize: {
    args: {
      value: number,
      zero: "string",
      one: "string",
      two: "string",
      few: "string",
      many: "string",
      other: value,
    },
    returns: "string",
  },
  openUrl: { args: { url: value }, returns: "void" },
  closeModal: { description: "closes the Modal around the Button", returns: "void" },
} as const;
