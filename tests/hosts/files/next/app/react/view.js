"use client";
import { init, Surface } from "byname";
import { basicCatalog } from "byname/dom";
import { SurfaceView } from "byname/react";
import { useEffect, useState } from "react";
import { greet } from "../../greet.js";

export function View() {
  const [surface, setSurface] = useState();
  useEffect(() => {
    init().then(() => setSurface(greet(new Surface({ catalog: basicCatalog }))));
  }, []);
  return surface ? <SurfaceView surface={surface} /> : <p>loading</p>;
}
