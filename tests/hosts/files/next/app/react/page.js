import { View } from "./view.js";

export default function Page() {
  return <View />;
}
