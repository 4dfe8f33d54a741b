import { asText, displayText, oneOf } from "../../json-value.js";
import type { Json } from "../../types.js";
import { safeUrl, type UrlUse } from "../../url.js";
import { updateAttribute } from "../base/accessibility.js";
import type { Component } from "../base/component.js";
import { createElement } from "./create-element.js";

const FITS = ["fill", "contain", "cover", "none", "scaleDown"] as const;
const VARIANTS = [
  "mediumFeature",
  "icon",
  "avatar",
  "smallFeature",
  "largeFeature",
  "header",
] as const;

export const image: Component = (_node, context) => {
  const element = createElement(context, "img", "bn-image");
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
        setUrl(element, "src", value, "image");
        // A server-rendered image may have failed before its listeners were added.
        const failed = element.complete && element.naturalWidth === 0;
        element.classList.toggle("bn-broken", context.adoption !== null && failed && !!element.src);
      } else if (prop === "description") element.alt = asText(value);
      else if (prop === "variant") element.dataset["variant"] = oneOf(value, VARIANTS);
      else if (prop === "fit") {
        const fit = oneOf(value, FITS);
        element.style.objectFit = fit === "scaleDown" ? "scale-down" : fit;
      }
    },
  };
};

export const video: Component = (_node, context) => {
  const element = createElement(context, "video", "bn-video");
  element.controls = true;
  // Firefox has no property `playsInline`.
  element.setAttribute("playsinline", "");
  element.preload = "metadata";
  return {
    element,
    set: (prop, value) => {
      if (prop === "url") setMediaUrl(element, value);
      else if (prop === "posterUrl") setUrl(element, "poster", value, "image");
    },
    dispose: () => setMediaUrl(element, null),
  };
};

export const audioPlayer: Component = (_node, context) => {
  const element = createElement(context, "figure", "bn-audio");
  const caption = createElement(context, "figcaption");
  caption.id = context.newId();
  const audio = createElement(context, "audio");
  audio.controls = true;
  audio.preload = "metadata";
  element.append(caption, audio);
  return {
    element,
    control: audio,
    set: (prop, value) => {
      if (prop === "url") setMediaUrl(audio, value);
      else if (prop === "description") {
        caption.textContent = displayText(value);
        caption.hidden = caption.textContent === "";
        updateAttribute(audio, "aria-labelledby", caption.hidden ? "" : caption.id);
      }
    },
    dispose: () => setMediaUrl(audio, null),
  };
};

/** Sets the URL of a media element. If it has none any more, `load` stops the previous one. */
function setMediaUrl(media: HTMLMediaElement, url: Json): void {
  setUrl(media, "src", url, "media");
  const hasBegun = media.networkState > 0;
  if (hasBegun && !media.hasAttribute("src")) media.load();
}

/** Sets a URL attribute. An equal URL is not set again, because that would restart the media. */
function setUrl(element: HTMLElement, name: string, value: Json, use: UrlUse): void {
  updateAttribute(element, name, safeUrl(value, use) ?? "");
}
