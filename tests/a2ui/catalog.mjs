// Properties of the basic catalog that contain components, input and actions.

const input = { input: ["value"] };
const list = { children: ["children"] };

export const catalog = {
  components: {
    Text: {},
    Image: {},
    Icon: {},
    Video: {},
    AudioPlayer: {},
    Divider: {},
    Row: list,
    Column: list,
    List: list,
    Card: { child: ["child"] },
    Tabs: { child: ["tabs.child"] },
    Modal: { child: ["trigger", "content"] },
    Button: { child: ["child"], actions: ["action"] },
    TextField: input,
    CheckBox: input,
    ChoicePicker: input,
    Slider: input,
    DateTimeInput: input,
  },
};
