/** Properties of the components of the A2UI basic catalog, without `id` and `component`. */
const propNames = {
  Text: "text variant",
  Image: "url description fit variant",
  Icon: "name",
  Video: "url",
  AudioPlayer: "url description",
  Row: "children justify align",
  Column: "children justify align",
  List: "children direction align",
  Card: "child",
  Tabs: "tabs",
  Modal: "trigger content",
  Divider: "axis",
  Button: "child variant action checks",
  TextField: "label value variant validationRegexp checks",
  CheckBox: "label value checks",
  ChoicePicker: "label variant options value displayStyle filterable checks",
  Slider: "label min max value checks",
  DateTimeInput: "value enableDate enableTime min max label checks",
};

export const componentNames: readonly string[] = Object.keys(propNames);

export function propsOf(component: string): string[] {
  const names = Object.hasOwn(propNames, component)
    ? propNames[component as keyof typeof propNames]
    : "";
  return `id component ${names} weight accessibility`.split(/ +/);
}
