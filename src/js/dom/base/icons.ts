/**
 * Icons of the basic catalog and of its examples by name, as SVG path data in a view box of 24 by
 * 24.
 */
export const icons: ReadonlyMap<string, string> = new Map(
  Object.entries({
    accountCircle:
      "M3 12a9 9 0 1 0 18 0a9 9 0 1 0-18 0M9 10a3 3 0 1 0 6 0a3 3 0 1 0-6 0M6 18.5c1.5-3 10.5-3 12 0",
    add: "M12 5v14M5 12h14",
    arrowBack: "M20 12H4M10 6l-6 6l6 6",
    arrowForward: "M4 12h16M14 6l6 6l-6 6",
    attachFile: "M17 7v9a5 5 0 0 1-10 0V6a3.5 3.5 0 0 1 7 0v9a1.5 1.5 0 0 1-3 0V8",
    calendarToday: "M4 6h16v14H4zM4 10h16M8 3v4M16 3v4M8 14h3",
    call: "M5 4h4l2 5l-2.5 2a13 13 0 0 0 4.5 4.500l2-2.500l5 2v4c-9 2-17-6-15-15z",
    camera: "M3 8h4l2-3h6l2 3h4v11H3zM8.5 13a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0",
    check: "M5 12.500l4.5 4.500L19 7",
    close: "M6 6l12 12M18 6L6 18",
    delete: "M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v5M14 11v5",
    download: "M12 4v11M7 11l5 5l5-5M4 20h16",
    edit: "M4 20l1-4L16 5l3 3L8 19zM14 7l3 3",
    error: "M3 12a9 9 0 1 0 18 0a9 9 0 1 0-18 0M12 7v6M12 16.500v.5",
    event: "M4 6h16v14H4zM4 10h16M8 3v4M16 3v4M13 14h3v3h-3z",
    fastForward: "M4 6l8 6l-8 6zM12 6l8 6l-8 6z",
    favorite: "M12 20C4 14 3 11 3 8.500a4.5 4.5 0 0 1 9-1a4.5 4.5 0 0 1 9 1C21 11 20 14 12 20z",
    favoriteOff:
      "M12 20C4 14 3 11 3 8.500a4.5 4.5 0 0 1 9-1a4.5 4.5 0 0 1 9 1C21 11 20 14 12 20zM4 3l17 18",
    folder: "M3 6h7l2 2h9v11H3z",
    help: "M3 12a9 9 0 1 0 18 0a9 9 0 1 0-18 0M9.5 9.500a2.5 2.5 0 1 1 3.5 2.300c-1 .5-1 1-1 2M12 17v.3",
    home: "M4 11l8-7l8 7v9h-5v-6H9v6H4z",
    info: "M3 12a9 9 0 1 0 18 0a9 9 0 1 0-18 0M12 11v6M12 7v.5",
    locationOn:
      "M12 21c-4-5-7-8-7-11.500a7 7 0 0 1 14 0C19 13 16 16 12 21zM9.5 9.500a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0-5 0",
    lock: "M5 11h14v9H5zM8 11V8a4 4 0 0 1 8 0v3M12 14.500v2",
    lockOpen: "M5 11h14v9H5zM8 11V8a4 4 0 0 1 7.5-2M12 14.500v2",
    mail: "M3 6h18v13H3zM3 7l9 7l9-7",
    menu: "M4 7h16M4 12h16M4 17h16",
    moreHoriz: "M5 12h.300M12 12h.300M19 12h.3",
    moreVert: "M12 5v.300M12 12v.300M12 19v.3",
    notifications: "M6 17V11a6 6 0 0 1 12 0v6l2 1H4zM10 20.500h4",
    notificationsOff: "M6 17V11a6 6 0 0 1 12 0v6l2 1H4zM10 20.500h4M4 3l17 18",
    pause: "M8 5v14M16 5v14",
    payment: "M3 6h18v13H3zM3 10h18M6 15h4",
    person: "M8 8a4 4 0 1 0 8 0a4 4 0 1 0-8 0M4 20c1-7 15-7 16 0",
    phone: "M7 3h10v18H7zM11 18h2",
    photo: "M4 4h16v16H4zM4 17l5-5l4 4l3-3l4 4M14.5 9a1 1 0 1 0 2 0a1 1 0 1 0-2 0",
    play: "M7 5l12 7l-12 7z",
    print: "M7 9V4h10v5M7 17H4V9h16v8h-3M7 14h10v6H7z",
    refresh: "M19 12a7 7 0 1 1-2-5l2 2M19 4v5h-5",
    rewind: "M20 6l-8 6l8 6zM12 6l-8 6l8 6z",
    search: "M4 10.500a6.5 6.5 0 1 0 13 0a6.5 6.5 0 1 0-13 0M15.5 15.500L21 21",
    send: "M4 4l17 8l-17 8l3-8zM7 12h14",
    settings:
      "M9 12a3 3 0 1 0 6 0a3 3 0 1 0-6 0M12 3v3M12 18v3M3 12h3M18 12h3M5.6 5.600l2.2 2.200M16.2 16.200l2.2 2.200M5.6 18.400l2.2-2.200M16.2 7.800l2.2-2.2",
    share:
      "M4 12a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0-5 0M15 6a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0-5 0M15 18a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0-5 0M9 11l6-4M9 13l6 4",
    shoppingCart:
      "M3 4h3l2.5 11h9L20 8H7M8.5 19a1 1 0 1 0 2 0a1 1 0 1 0-2 0M15.5 19a1 1 0 1 0 2 0a1 1 0 1 0-2 0",
    skipNext: "M6 5l10 7l-10 7zM18 5v14",
    skipPrevious: "M18 5L8 12l10 7zM6 5v14",
    star: "M12 3l2.7 6l6.3.700l-4.8 4.300l1.4 6.500L12 17.200L6.4 20.500l1.4-6.500L3 9.700L9.3 9z",
    starHalf: "M12 3L9.3 9L3 9.700l4.8 4.300l-1.4 6.500L12 17.200zM12 3l2.7 6l6.3.7",
    starOff:
      "M12 3l2.7 6l6.3.700l-4.8 4.300l1.4 6.500L12 17.200L6.4 20.500l1.4-6.500L3 9.700L9.3 9zM4 3l17 18",
    stop: "M6 6h12v12H6z",
    upload: "M12 16V5M7 9l5-5l5 5M4 20h16",
    visibility: "M2 12c5-8 15-8 20 0c-5 8-15 8-20 0zM9 12a3 3 0 1 0 6 0a3 3 0 1 0-6 0",
    visibilityOff: "M2 12c5-8 15-8 20 0c-5 8-15 8-20 0zM9 12a3 3 0 1 0 6 0a3 3 0 1 0-6 0M4 3l17 18",
    volumeDown: "M4 9h4l5-4v14l-5-4H4zM16 9a4 4 0 0 1 0 6",
    volumeMute: "M6 9h4l5-4v14l-5-4H6z",
    volumeOff: "M4 9h4l5-4v14l-5-4H4zM16 9.500l5 5M21 9.500l-5 5",
    volumeUp: "M4 9h4l5-4v14l-5-4H4zM16 9a4 4 0 0 1 0 6M18.5 6a8 8 0 0 1 0 12",
    warning: "M12 4l9.5 16h-19zM12 10v5M12 17.500v.3",
    arrowUpward: "M12 20V4M6 10l6-6l6 6",
    directionsRun:
      "M13 4a1.5 1.5 0 1 0 3 0a1.5 1.5 0 1 0-3 0M7 11l2-3l4-1l2 4l4 1M13 7l-3 6l4 3l-1 6M10 14l-2 4H4",
    priorityHigh: "M12 4v10M12 18.5v.5",
    trendingUp: "M3 17l6-6l4 4l8-8M15 7h6v6",
  }),
);
