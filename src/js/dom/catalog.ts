import type { Catalog } from "../types.js";

/**
 * The 18 components of the A2UI basic catalog: which of their properties name components, take input or hold actions.
 * Pure data, for `new Surface({ catalog: basicCatalog })`, also where there is no document.
 */
export const basicCatalog: Catalog = {
  components: {
    Text: {},
    Image: {},
    Icon: {},
    Video: {},
    AudioPlayer: {},
    Row: { children: ["children"] },
    Column: { children: ["children"] },
    List: { children: ["children"] },
    Card: { child: ["child"] },
    Tabs: { child: ["tabs.child"] },
    Modal: { child: ["trigger", "content"] },
    Divider: {},
    Button: { child: ["child"], actions: ["action"] },
    TextField: { input: ["value"] },
    CheckBox: { input: ["value"] },
    ChoicePicker: { input: ["value"] },
    Slider: { input: ["value"] },
    DateTimeInput: { input: ["value"] },
  },
};
