/** Properties of the components of the A2UI basic catalog, without `id` and `component`. */
const propNamesByComponent = {
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

export const componentNames: readonly string[] = Object.keys(propNamesByComponent);

export function propNamesOf(component: string): string[] {
  const names = Object.hasOwn(propNamesByComponent, component)
    ? propNamesByComponent[component as keyof typeof propNamesByComponent]
    : "";
  return `id component ${names} weight accessibility`.split(/ +/);
}
