"""Which network addresses may be connected to. An allow-list, so that an unforeseen form of a private address is refused."""

import ipaddress

# IANA's registries of special-purpose addresses. Python's own `is_global` calls NAT64 and 6to4 forms of 127.0.0.1 global,
# and its answers change between versions.
_SPECIAL_V4 = tuple(
    map(
        ipaddress.IPv4Network,
        """0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24
        192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4""".split(),
    )
)
_GLOBAL_V6 = ipaddress.IPv6Network("2000::/3")
# Below 2000::/3: protocol assignments (Teredo, benchmarking, ORCHID), documentation and 6to4.
_SPECIAL_V6 = tuple(map(ipaddress.IPv6Network, ("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")))


def is_public(address: str) -> bool:
    """Return whether `address` is one ordinary machine on the public internet.

    IPv4: global unicast. IPv6: 2000::/3 without its special ranges, which leaves out mapped, NAT64, 6to4, Teredo, local
    and multicast forms. What is no address, or one with a zone, is not public.
    """
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return False
    if isinstance(found, ipaddress.IPv4Address):
        return not any(found in network for network in _SPECIAL_V4)
    return found.scope_id is None and found in _GLOBAL_V6 and not any(found in network for network in _SPECIAL_V6)
