import { asText, oneOf } from "../../json-value.js";
import type { Json } from "../../types.js";
import { attribute } from "../base/accessibility.js";
import type { Component } from "../base/component.js";
import { safeUrl, type UrlUse } from "../base/url.js";
import { make } from "./create-element.js";

const fits = ["fill", "contain", "cover", "none", "scaleDown"] as const;
const sizes = [
  "mediumFeature",
  "icon",
  "avatar",
  "smallFeature",
  "largeFeature",
  "header",
] as const;

export const image: Component = (_node, context) => {
  const element = make(context, "img", "bn-image");
  // An empty `alt` marks an image without a description as decorative.
  element.alt = "";
  element.loading = "lazy";
  element.decoding = "async";
  element.referrerPolicy = "no-referrer";
  element.dataset["variant"] = "mediumFeature";
  element.addEventListener("error", () => element.classList.add("bn-broken"));
  element.addEventListener("load", () => element.classList.remove("bn-broken"));
  return {
    element,
    set: (prop, value) => {
      if (prop === "url") {
        source(element, "src", value, "image");
        // A server-rendered image may have failed before its listeners were added.
        const failed = element.complete && element.naturalWidth === 0;
        element.classList.toggle("bn-broken", context.adoption !== null && failed && !!element.src);
      } else if (prop === "description") element.alt = asText(value);
      else if (prop === "variant") element.dataset["variant"] = oneOf(value, sizes);
      else if (prop === "fit") {
        const fit = oneOf(value, fits);
        element.style.objectFit = fit === "scaleDown" ? "scale-down" : fit;
      }
    },
  };
};

export const video: Component = (_node, context) => {
  const element = make(context, "video", "bn-video");
  element.controls = true;
  // Firefox has no property `playsInline`.
  element.setAttribute("playsinline", "");
  element.preload = "metadata";
  return {
    element,
    set: (prop, value) => {
      if (prop === "url") load(element, value);
      else if (prop === "posterUrl") source(element, "poster", value, "image");
    },
    dispose: () => load(element, null),
  };
};

export const audioPlayer: Component = (_node, context) => {
  const element = make(context, "figure", "bn-audio");
  const caption = make(context, "figcaption");
  caption.id = context.newId();
  const audio = make(context, "audio");
  audio.controls = true;
  audio.preload = "metadata";
  element.append(caption, audio);
  return {
    element,
    control: audio,
    set: (prop, value) => {
      if (prop === "url") load(audio, value);
      else if (prop === "description") {
        caption.textContent = asText(value);
        caption.hidden = caption.textContent === "";
        attribute(audio, "aria-labelledby", caption.hidden ? "" : caption.id);
      }
    },
    dispose: () => load(audio, null),
  };
};

/** Sets the URL of a media element. If it has none any more, `load` stops the previous one. */
function load(medium: HTMLMediaElement, url: Json): void {
  source(medium, "src", url, "media");
  const hasBegun = medium.networkState > 0;
  if (hasBegun && !medium.hasAttribute("src")) medium.load();
}

/** Sets a URL attribute. An equal URL is not set again, because that would restart the media. */
function source(element: HTMLElement, name: string, value: Json, use: UrlUse): void {
  attribute(element, name, safeUrl(value, use) ?? "");
}
