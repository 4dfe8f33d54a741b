"use client";
import { basicCatalog } from "byname/dom";
import { Surface } from "byname/ham/inline";
import { SurfaceView, useSurface } from "byname/react";
import { greet } from "../../greet.js";

export function View() {
  const surface = useSurface(() => greet(new Surface({ catalog: basicCatalog })));
  return <SurfaceView surface={surface} />;
}
